      *> Quotients in conditions: no more decimal places than the operands
      *> of the condition have, wherever they stand.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. COMPARED.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 TWO-PLACES PIC S9(5)V99 VALUE 2.
       01 WHOLE PIC S9(5) VALUE 7.
       01 THREE-PLACES PIC S9(5)V9(3) VALUE -12311.635.
       01 RESULT-OF PIC S9(5).
       PROCEDURE DIVISION.
           IF WHOLE / 3 = 2
             DISPLAY 'ON THE LEFT'
           END-IF
           IF 2 = WHOLE / 3
             DISPLAY 'ON THE RIGHT'
           END-IF
           IF THREE-PLACES / 3 = THREE-PLACES * 1 / 3
             DISPLAY 'ON BOTH SIDES'
           END-IF
           IF 2.33 = WHOLE / 3 AND TWO-PLACES + 0.33 = WHOLE / 3
             DISPLAY 'TWO PLACES'
           END-IF
           MOVE 1 TO WHOLE
           IF WHOLE / 4 IS ZERO AND NOT WHOLE / 4 IS POSITIVE
             AND WHOLE / 4 = ZERO
             DISPLAY 'NO PLACES ARE ZERO'
           END-IF
           IF TWO-PLACES * (WHOLE / 4) > ZERO
             DISPLAY 'TWO PLACES ARE MORE'
           END-IF
           PERFORM VARYING WHOLE FROM 1 BY 1 UNTIL 2 = WHOLE / 3
             CONTINUE
           END-PERFORM
           DISPLAY 'UNTIL ' WHOLE
           EVALUATE TRUE
             WHEN 3 < WHOLE / 2 DISPLAY 'MORE'
             WHEN OTHER DISPLAY 'NOT MORE'
           END-EVALUATE
      *> Literals too.
           MOVE 100 TO WHOLE
           COMPUTE RESULT-OF = WHOLE * (1 / 4)
           DISPLAY 'INTEGERS ' RESULT-OF
           COMPUTE RESULT-OF = WHOLE * (1.00 / 4)
           DISPLAY 'TWO PLACES ' RESULT-OF
           GOBACK.
