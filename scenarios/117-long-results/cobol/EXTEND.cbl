       CBL ARITH(EXTEND)
      *> Intermediate results of more digits than are kept: decimal places
      *> beyond those of the statement go first, then digits in front.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. EXTEND.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 A PIC S9(15)V99 COMP-3 VALUE 987654321.23.
       01 B PIC S9(9)V9(9) COMP-3 VALUE 0.123456789.
       01 N PIC S9(3) COMP-3 VALUE 365.
       01 R PIC S9(9)V9(4) SIGN LEADING SEPARATE.
       01 BIG PIC S9(18) COMP-3 VALUE 999999999999999999.
       01 BD PIC S9(18) SIGN LEADING SEPARATE.
       01 C PIC S9(9)V9(9) VALUE 1.987654321.
       01 V PIC S9V9(4) VALUE 1.0059.
       01 F COMP-1 VALUE 1.1.
       01 D PIC S9(9)V9(9) SIGN LEADING SEPARATE.
       PROCEDURE DIVISION.
           COMPUTE R = A * B * N / 360 DISPLAY R
           COMPUTE R ROUNDED = A * B * N / 360 DISPLAY R
           COMPUTE D = B * C * B * 1000000000 DISPLAY D
           COMPUTE D = B * C * 1000000000 - 1 DISPLAY D
           COMPUTE D = 0 - B * C * B * 1000000000 DISPLAY D
           COMPUTE BD = BIG * BIG / 1000000000000 DISPLAY BD
           COMPUTE BD = BIG * BIG * BIG / BIG / BIG DISPLAY BD
           COMPUTE D = C * C * C * C DISPLAY D
           COMPUTE D = V ** 9 * 10000000000000 DISPLAY D
      *> Floating point is not cut.
           COMPUTE D = BIG * F * BIG / BIG / BIG DISPLAY D
           GOBACK.
