      *> Reference modification, and parts that overlap.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. REFMODS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 X PIC X(10) VALUE 'ABCDEFGHIJ'.
       01 Y PIC X(10).
       01 N PIC 9(5) VALUE 12345.
       01 S PIC S9(5) VALUE -12345.
       01 I PIC 9 VALUE 3.
       01 L PIC 9 VALUE 4.
       01 T.
          05 E PIC X(4) OCCURS 3.
       01 NN PIC 9(3).
       01 PK PIC S9(5) COMP-3 VALUE 7.
       01 D PIC X(8) VALUE '20240131'.
       01 A1 PIC X(3) VALUE 'abc'.
       01 OV.
          05 O1 PIC X(5) VALUE '12345'.
          05 O2 PIC X(5) VALUE '67890'.
       01 R REDEFINES OV PIC X(10).
       PROCEDURE DIVISION.
           DISPLAY X(I:L) '|' X(I + 1:2) '|' X(8:) '|' X(I:L - I)
           DISPLAY N(2:3) '|' S(1:5)
           MOVE N(4:2) TO NN DISPLAY NN
           MOVE 'ZZ' TO X(3:2) DISPLAY X
           MOVE SPACES TO X(5:3) DISPLAY X
           MOVE 'WXYZ' TO E(2) MOVE '--' TO E(2)(2:2) DISPLAY E(2)
           IF D(5:2) = '01' AND D(5:2) = 01 DISPLAY 'JAN' END-IF
           DISPLAY FUNCTION UPPER-CASE(A1)(2:2)
           MOVE R(1:9) TO R(2:9) DISPLAY R
           MOVE '1234567890' TO R
           MOVE R(3:8) TO R(1:8) DISPLAY R
           MOVE '12' TO N(1:2) DISPLAY N
           MOVE 7 TO N(5:1) DISPLAY N
           MOVE X TO Y(1:3) DISPLAY Y(1:3)
           INSPECT X(1:4) CONVERTING 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' TO
             'abcdefghijklmnopqrstuvwxyz'
           DISPLAY X
           MOVE FUNCTION LENGTH(X(2:5)) TO NN DISPLAY NN
           MOVE LENGTH OF X TO NN DISPLAY NN
           GOBACK.
