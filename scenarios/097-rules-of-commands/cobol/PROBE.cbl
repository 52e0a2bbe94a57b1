       IDENTIFICATION DIVISION.
       PROGRAM-ID. PROBE.
      * One rule of a command each; RESP, RESP2 and what else it tells.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  R PIC S9(8) COMP.
       01  R2 PIC S9(8) COMP.
       01  H PIC S9(4) COMP.
       01  H2 PIC S9(4) COMP.
       01  F PIC S9(8) COMP.
       01  T PIC S9(15) COMP-3.
       01  A PIC X(40) VALUE SPACES.
       01  B PIC X(40) VALUE SPACES.
       01  P POINTER.
       01  ED1 PIC X(9) VALUE '14-6704/B'.
       01  ED2 PIC X(8) VALUE ' $12.30-'.
       01  ED3 PIC X(6) VALUE '7.5 CR'.
       01  ED4 PIC X(4) VALUE 'ABCD'.
       01  E-R PIC 9(3).
       01  E-2 PIC 9(3).
       01  E-H PIC -(6)9.
       01  E-I PIC -(6)9.
       01  RES.
           05 RES-1 PIC X(4).
           05 RES-2 PIC X(4).
       LINKAGE SECTION.
       01  DFHCOMMAREA.
           05 WHICH PIC X(8).
           05 SAID PIC X(52).
       PROCEDURE DIVISION.
       MAIN-LINE.
           MOVE 0 TO R R2 H H2 F.
           EVALUATE WHICH
             WHEN 'DEEDIT1'
               EXEC CICS BIF DEEDIT FIELD(ED1) LENGTH(9) END-EXEC
               MOVE ED1 TO A
             WHEN 'DEEDIT2'
               EXEC CICS BIF DEEDIT FIELD(ED2) LENGTH(8) END-EXEC
               MOVE ED2 TO A
             WHEN 'DEEDIT3'
               EXEC CICS BIF DEEDIT FIELD(ED3) LENGTH(6) END-EXEC
               MOVE ED3 TO A
             WHEN 'DEEDIT4'
               EXEC CICS BIF DEEDIT FIELD(ED4) LENGTH(4) END-EXEC
               MOVE ED4 TO A
             WHEN 'DEEDIT5'
               EXEC CICS BIF DEEDIT FIELD(ED4) LENGTH(0)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'FORMAT2'
               MOVE -1 TO T
               EXEC CICS FORMATTIME ABSTIME(T) YYYYMMDD(A)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'FORMAT3'
               MOVE 3000000000000 TO T
               EXEC CICS FORMATTIME ABSTIME(T) YYDDD(A)
                    DATESEP('-') TIME(B) TIMESEP('.')
                    MILLISECONDS(F) RESP(R) RESP2(R2) END-EXEC
               MOVE F TO H
             WHEN 'FORMAT4'
               MOVE 3000000000123 TO T
               EXEC CICS FORMATTIME ABSTIME(T) STRINGFORMAT(F)
                    DATESTRING(A) RESP(R) RESP2(R2) END-EXEC
             WHEN 'FORMAT5'
               MOVE 3000000000000 TO T
               EXEC CICS FORMATTIME ABSTIME(T) MMDDYYYY(A)
                    MONTHOFYEAR(F) DAYOFMONTH(R2) YEAR(R)
                    END-EXEC
               MOVE F TO H
               MOVE R TO H2
               MOVE 0 TO R
             WHEN 'STARTMM'
               EXEC CICS START TRANSID('NONE') INTERVAL(6000)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'STARTM5'
               EXEC CICS START TRANSID('CESN') INTERVAL(6000)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'STARTS6'
               EXEC CICS START TRANSID('CESN') INTERVAL(60)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'STARTH4'
               EXEC CICS START TRANSID('CESN') INTERVAL(1000000)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'STARTM60'
               EXEC CICS START TRANSID('CESN') AFTER HOURS(1)
                    MINUTES(60) RESP(R) RESP2(R2) END-EXEC
             WHEN 'STARTTRM'
               EXEC CICS START TRANSID('CESN') TERMID('NOPE')
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'CANCEL0'
               EXEC CICS CANCEL REQID('TWO')
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'DELAYM'
               EXEC CICS DELAY INTERVAL(6000)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'DELAYFOR'
               EXEC CICS DELAY FOR SECONDS(60) MINUTES(1)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'RETRIEVE'
               EXEC CICS RETRIEVE INTO(A) LENGTH(H)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'POP'
               EXEC CICS POP HANDLE RESP(R) RESP2(R2) END-EXEC
             WHEN 'ENQ0'
               EXEC CICS ENQ RESOURCE(RES) LENGTH(0)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'ENQ256'
               EXEC CICS ENQ RESOURCE(RES) LENGTH(256)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'ENQLIFE'
               EXEC CICS ENQ RESOURCE(RES) LENGTH(8) MAXLIFETIME(5)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'DEQ'
               EXEC CICS DEQ RESOURCE(RES) LENGTH(8)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'TSITEM'
               EXEC CICS WRITEQ TS QUEUE('Q1') FROM('ONE') LENGTH(3)
                    ITEM(H) END-EXEC
               EXEC CICS WRITEQ TS QUEUE('Q1') FROM('TWO') LENGTH(3)
                    NUMITEMS(H2) END-EXEC
               EXEC CICS WRITEQ TS QUEUE('Q1') FROM('X') LENGTH(1)
                    ITEM(3) REWRITE RESP(R) RESP2(R2) END-EXEC
             WHEN 'TSREW'
               MOVE 1 TO H
               EXEC CICS WRITEQ TS QUEUE('Q1') FROM('FIRST')
                    LENGTH(5) ITEM(H) REWRITE NUMITEMS(H2)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'TSREAD'
               MOVE 3 TO H
               EXEC CICS READQ TS QUEUE('Q1') INTO(A) LENGTH(H)
                    ITEM(1) NUMITEMS(H2) RESP(R) RESP2(R2) END-EXEC
             WHEN 'TSNEXT'
               MOVE 40 TO H
               EXEC CICS READQ TS QUEUE('Q1') INTO(A) LENGTH(H)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'TSITEM0'
               MOVE 40 TO H
               EXEC CICS READQ TS QUEUE('Q1') INTO(A) LENGTH(H)
                    ITEM(0) RESP(R) RESP2(R2) END-EXEC
             WHEN 'TSNOQ'
               EXEC CICS WRITEQ TS QUEUE('Q2') FROM('X') LENGTH(1)
                    ITEM(1) REWRITE RESP(R) RESP2(R2) END-EXEC
             WHEN 'TSLEN0'
               EXEC CICS WRITEQ TS QUEUE('Q1') FROM('X') LENGTH(0)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'TSLENNEG'
               MOVE -1 TO H
               EXEC CICS WRITEQ TS QUEUE('Q1') FROM(A) LENGTH(H)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'GETMAIN0'
               EXEC CICS GETMAIN SET(P) FLENGTH(0)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'FREENULL'
               SET P TO NULL
               EXEC CICS FREEMAIN DATAPOINTER(P)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'LINKDATA'
               EXEC CICS LINK PROGRAM('PROBE') COMMAREA(A) LENGTH(8)
                    DATALENGTH(9) RESP(R) RESP2(R2) END-EXEC
             WHEN 'LINKNEG'
               MOVE -1 TO H
               EXEC CICS LINK PROGRAM('PROBE') COMMAREA(A) LENGTH(H)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'RELEASE'
               EXEC CICS RELEASE PROGRAM('PROBE')
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'PRIORITY'
               EXEC CICS CHANGE TASK PRIORITY(256)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'TDNO'
               EXEC CICS WRITEQ TD QUEUE('NOPE') FROM(A) LENGTH(8)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'CONT1'
               MOVE 40 TO F
               EXEC CICS GET CONTAINER('C') CHANNEL('NOPE') INTO(A)
                    FLENGTH(F) RESP(R) RESP2(R2) END-EXEC
             WHEN 'CONT2'
               EXEC CICS PUT CONTAINER('C') CHANNEL('CH') FROM(A)
                    FLENGTH(5) END-EXEC
               MOVE 40 TO F
               EXEC CICS GET CONTAINER('D') CHANNEL('CH') INTO(A)
                    FLENGTH(F) RESP(R) RESP2(R2) END-EXEC
             WHEN 'CONT3'
               EXEC CICS PUT CONTAINER('C') CHANNEL('CH') FROM('HELLO')
                    FLENGTH(5) END-EXEC
               MOVE 3 TO F
               EXEC CICS GET CONTAINER('C') CHANNEL('CH') INTO(A)
                    FLENGTH(F) RESP(R) RESP2(R2) END-EXEC
               MOVE F TO H
             WHEN 'CONT4'
               EXEC CICS PUT CONTAINER('C D') CHANNEL('CH') FROM('HE')
                    FLENGTH(2) RESP(R) RESP2(R2) END-EXEC
             WHEN 'CONT5'
               EXEC CICS PUT CONTAINER('C') CHANNEL('C H') FROM('HE')
                    FLENGTH(2) RESP(R) RESP2(R2) END-EXEC
             WHEN 'CONT6'
               EXEC CICS GET CONTAINER('C') INTO(A)
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'CONT7'
               EXEC CICS DELETE CONTAINER('C') CHANNEL('NOPE')
                    RESP(R) RESP2(R2) END-EXEC
             WHEN 'CONT8'
               EXEC CICS PUT CONTAINER('C') CHANNEL('CH') FROM('HE')
                    FLENGTH(-1) RESP(R) RESP2(R2) END-EXEC
             WHEN 'TRACE'
               EXEC CICS ENTER TRACENUM(200) RESP(R) RESP2(R2)
                    END-EXEC
             WHEN 'POST'
               EXEC CICS POST INTERVAL(7000) SET(P)
                    RESP(R) RESP2(R2) END-EXEC
           END-EVALUATE.
           MOVE R TO E-R. MOVE R2 TO E-2.
           MOVE H TO E-H. MOVE H2 TO E-I.
           MOVE SPACES TO SAID.
           STRING E-R ' ' E-2 ' ' FUNCTION TRIM(E-H) ' '
             FUNCTION TRIM(E-I) ' ' A(1:30)
             DELIMITED BY SIZE INTO SAID.
           EXEC CICS RETURN END-EXEC.
