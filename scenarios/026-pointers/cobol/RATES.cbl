       IDENTIFICATION DIVISION.
       PROGRAM-ID. RATES.
      * Only data: what an assembler table is on z/OS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  RATE-TABLE.
           05  FILLER PIC X(6) VALUE 'EUR110'.
           05  FILLER PIC X(6) VALUE 'GBP085'.
           05  FILLER PIC X(6) VALUE 'JPY160'.
       PROCEDURE DIVISION.
           GOBACK.
