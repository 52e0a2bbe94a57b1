      *> Results of ADD, SUBTRACT, MULTIPLY, DIVIDE and COMPUTE with several
      *> receivers, ON SIZE ERROR and items without a sign.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. RESULTS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC S9(4) VALUE 3.
       01 B PIC S9(4) VALUE 40.
       01 C PIC S9(4) VALUE 50.
       01 TABLE-OF-TWO.
          05 T PIC 9(4) OCCURS 2.
       01 I PIC 9(4).
       01 ONE-DIGIT PIC 9.
       01 REST PIC S9(3).
       01 HALFWORD PIC 9(4) COMP.
       01 NATIVE-HALFWORD PIC 9(4) COMP-5.
       01 NATIVE-WORD PIC 9(9) COMP-5.
       01 NATIVE-DOUBLE PIC 9(18) COMP-5.
       01 MINUS-100 PIC S9(4) COMP VALUE -100.
       PROCEDURE DIVISION.
      *> The operand is what it was before the first receiver changed.
           ADD A TO A B C
           DISPLAY 'ADD ' A ' ' B ' ' C
           PERFORM AGAIN
           SUBTRACT A FROM A B C
           DISPLAY 'SUBTRACT ' A ' ' B ' ' C
           PERFORM AGAIN
           MULTIPLY A BY A B C
           DISPLAY 'MULTIPLY ' A ' ' B ' ' C
           PERFORM AGAIN
           DIVIDE A INTO A B ROUNDED C
           DISPLAY 'DIVIDE ' A ' ' B ' ' C
           MOVE 1 TO I
           MOVE 5 TO T(1)
           MOVE 7 TO T(2)
           ADD T(I) TO I T(2)
           DISPLAY 'TABLE ' I ' ' T(1) ' ' T(2)
      *> From left to right.
           MOVE 2 TO A
           MOVE 3 TO B
           MOVE 2 TO C
           COMPUTE I = A ** B ** C
           DISPLAY 'POWERS ' I
           COMPUTE I = 1 + (A + 1) ** 2 ** A
           DISPLAY 'POWERS ' I
           IF A ** B ** C = 64
             DISPLAY 'IF 64'
           END-IF
      *> Neither the quotient nor the remainder changes.
           MOVE 1 TO ONE-DIGIT
           MOVE 1 TO REST
           DIVIDE 1000 BY 7 GIVING ONE-DIGIT REMAINDER REST
             ON SIZE ERROR DISPLAY 'SIZE ERROR'
           END-DIVIDE
           DISPLAY ONE-DIGIT ' ' REST
           DIVIDE 1000 BY 7 GIVING ONE-DIGIT REMAINDER REST
           DISPLAY ONE-DIGIT ' ' REST
      *> What has no sign is stored without it.
           MOVE 5 TO HALFWORD NATIVE-HALFWORD NATIVE-WORD NATIVE-DOUBLE
           SUBTRACT 12 FROM HALFWORD NATIVE-HALFWORD NATIVE-WORD
             NATIVE-DOUBLE
           PERFORM UNSIGNED-ITEMS
           ADD MINUS-100 TO HALFWORD NATIVE-HALFWORD NATIVE-WORD
             NATIVE-DOUBLE
           PERFORM UNSIGNED-ITEMS
           GOBACK.
       AGAIN.
           MOVE 3 TO A
           MOVE 40 TO B
           MOVE 50 TO C.
       UNSIGNED-ITEMS.
           DISPLAY HALFWORD ' ' NATIVE-HALFWORD ' ' NATIVE-WORD ' '
             NATIVE-DOUBLE.
