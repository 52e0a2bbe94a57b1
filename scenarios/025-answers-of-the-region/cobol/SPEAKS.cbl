       IDENTIFICATION DIVISION.
       PROGRAM-ID. SPEAKS.
      * The form of dates and the language.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  T PIC S9(15) COMP-3 VALUE 4004512496000.
       01  D8 PIC X(8).
       01  D10 PIC X(10).
       01  FORM PIC X(6).
       01  LANG1 PIC X.
       01  LANG3 PIC X(3).
       01  SAID PIC X(40).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 CA-TEXT PIC X(60).
       PROCEDURE DIVISION.
       MAIN-LINE.
           EXEC CICS FORMATTIME ABSTIME(T) DATE(D8) FULLDATE(D10)
                DATEFORM(FORM) DATESEP('.') END-EXEC.
           EXEC CICS ASSIGN NATLANGINUSE(LANG1) LANGINUSE(LANG3)
                END-EXEC.
           STRING D8 ' ' D10 ' ' FORM ' ' LANG1 ' ' LANG3
                DELIMITED BY SIZE INTO SAID.
           IF EIBCALEN > 0
              MOVE SAID TO CA-TEXT
           ELSE
              EXEC CICS SEND TEXT FROM(SAID) LENGTH(40) ERASE FREEKB
                   END-EXEC
           END-IF.
           EXEC CICS RETURN END-EXEC.
