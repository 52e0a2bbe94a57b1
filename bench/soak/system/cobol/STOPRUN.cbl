      * STOP RUN ends the task, not the worker.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. STOPRUN.
       PROCEDURE DIVISION.
           STOP RUN.
