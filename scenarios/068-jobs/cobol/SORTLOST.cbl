      * A file that is not there, and nobody asks: the program ends.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SORTLOST.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT ONE ASSIGN TO ONE.
           SELECT W ASSIGN TO SORTWK1.
       DATA DIVISION.
       FILE SECTION.
       FD  ONE RECORDING MODE F.
       01  ONE-RECORD           PIC X(80).
       SD  W.
       01  W-RECORD             PIC X(80).
       PROCEDURE DIVISION.
           SORT W ON ASCENDING KEY W-RECORD USING ONE GIVING ONE
           DISPLAY 'NOT REACHED'
           GOBACK.
