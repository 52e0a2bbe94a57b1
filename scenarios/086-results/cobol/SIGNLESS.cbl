      *> Numbers with a separate sign against characters, and MOVE ALL to
      *> numbers.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SIGNLESS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 IN-FRONT PIC S9(3) SIGN LEADING SEPARATE VALUE -7.
       01 BEHIND PIC S9(3) SIGN TRAILING SEPARATE VALUE -7.
       01 THREE-CHARS PIC X(3) VALUE '007'.
       01 BYTES-OF-IT.
          05 PIC X(4) VALUE '-007'.
       01 ZONED PIC 9(5).
       01 PACKED PIC S9(5) COMP-3.
       PROCEDURE DIVISION.
           IF IN-FRONT = THREE-CHARS AND THREE-CHARS = BEHIND
             DISPLAY 'WITHOUT THE SIGN'
           END-IF
           IF IN-FRONT = BYTES-OF-IT
             DISPLAY 'A GROUP: WITH THE SIGN'
           END-IF
           EVALUATE BEHIND
             WHEN '008' DISPLAY 'WRONG'
             WHEN '007' DISPLAY 'A LITERAL'
           END-EVALUATE
           IF IN-FRONT < ZERO AND IN-FRONT = BEHIND
             DISPLAY 'A NUMBER'
           END-IF
           MOVE ALL '12' TO ZONED PACKED
           DISPLAY ZONED ' ' PACKED
           GOBACK.
