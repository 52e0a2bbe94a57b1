      *> CORRESPONDING: names of groups, REDEFINES and tables.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CORRESP.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A.
          05 X1 PIC X(3) VALUE 'AAA'.
          05 X2 PIC 9(3) VALUE 12.
          05 X3 PIC X(3) VALUE 'CCC'.
          05 T PIC 9 OCCURS 3 VALUE 5.
          05 SUB.
             10 Y1 PIC S9(3)V99 COMP-3 VALUE -1.25.
             10 Y2 PIC X VALUE 'Y'.
          05 R1 PIC X(2) VALUE '99'.
          05 R1N REDEFINES R1 PIC 99.
          05 SAMEG.
             10 Q PIC 9 VALUE 7.
          05 FILLER PIC X(3) VALUE 'FFF'.
       01 B.
          05 X3 PIC X(5) VALUE SPACES.
          05 X2 PIC ZZ9.9.
          05 T PIC 9 OCCURS 3 VALUE 1.
          05 SUB.
             10 Y1 PIC -9.9.
             10 Y3 PIC X VALUE 'Z'.
          05 R1N PIC 99 VALUE 0.
          05 R1 PIC X(2) VALUE SPACES.
          05 SAMEG PIC X(3) VALUE SPACES.
          05 X1 PIC X(3) VALUE 'ZZZ'.
       01 C.
          05 X2 PIC 9(3) VALUE 990.
          05 SUB.
             10 Y1 PIC S9V99 VALUE 2.
       PROCEDURE DIVISION.
           MOVE CORRESPONDING A TO B
           DISPLAY X3 OF B '|' X2 OF B '|' T OF B(1) '|' Y1 OF B
             '|' R1N OF B '|' R1 OF B '|' SAMEG OF B '|' X1 OF B
           ADD CORRESPONDING C TO A ON SIZE ERROR DISPLAY 'SE'
             NOT ON SIZE ERROR DISPLAY 'OK' END-ADD
           DISPLAY X2 OF A ' ' Y1 OF A
           MOVE 1 TO X2 OF C
           SUBTRACT CORR C FROM A
           DISPLAY X2 OF A ' ' Y1 OF A
           GOBACK.
