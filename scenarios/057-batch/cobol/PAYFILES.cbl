      * Without FILE STATUS a statement that fails ends the step.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYFILES.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT MASTER ASSIGN TO PAYMAST
             ORGANIZATION IS INDEXED ACCESS MODE IS RANDOM
             RECORD KEY IS PAY-ID.
       DATA DIVISION.
       FILE SECTION.
       FD  MASTER.
       01  PAY-RECORD.
           05 PAY-ID               PIC X(4).
           05 PAY-NAME             PIC X(16).
       PROCEDURE DIVISION.
           OPEN INPUT MASTER
           DISPLAY 'OPENED'
           GOBACK.
