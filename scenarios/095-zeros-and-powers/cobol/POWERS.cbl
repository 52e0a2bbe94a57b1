      *> Powers by items of each USAGE and by literals: an item raises by
      *> multiplying, and each product has the statement's decimal places.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. POWERS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 R PIC S9(9)V9(4) SIGN LEADING SEPARATE.
       01 E PIC S9 VALUE 2.
       01 EN PIC S9 VALUE -2.
       01 NZ PIC S9(4) VALUE 12.
       01 NC PIC S9(4) COMP VALUE 12.
       01 NP PIC S9(4) COMP-3 VALUE 12.
       01 N5 PIC S9(4) COMP-5 VALUE 12.
       01 NF PIC S9(9) COMP VALUE 12.
       01 V PIC S9V9(4) VALUE 1.0059.
       01 P PIC S9(7)V99 VALUE 123456.78.
       01 RR PIC S9(9)V99 SIGN LEADING SEPARATE.
       PROCEDURE DIVISION.
           COMPUTE R = 1 + E ** EN DISPLAY R
           COMPUTE R = V ** NZ DISPLAY R
           COMPUTE R = V ** NC DISPLAY R
           COMPUTE R = V ** NP DISPLAY R
           COMPUTE R = V ** N5 DISPLAY R
           COMPUTE R = V ** NF DISPLAY R
           COMPUTE R = V ** 12 DISPLAY R
           COMPUTE RR = P * (1 + .0059) ** NZ DISPLAY RR
           COMPUTE RR = P * (1 + .0059) ** NC DISPLAY RR
           COMPUTE RR = P * (1 + .0059) ** 12 DISPLAY RR
           COMPUTE R = 5 + NC * 2 + V ** NC DISPLAY R
      *> Negative exponents, twice, which must not change the literal.
           PERFORM 2 TIMES
             COMPUTE R = E ** EN DISPLAY R
             COMPUTE R = E ** -2 DISPLAY R
             COMPUTE R = E ** (0 - 2) DISPLAY R
             COMPUTE R = E ** EN * 3 DISPLAY R
           END-PERFORM
           GOBACK.
