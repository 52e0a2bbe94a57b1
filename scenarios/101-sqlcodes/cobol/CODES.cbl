       IDENTIFICATION DIVISION.
       PROGRAM-ID. CODES.
      * What a program sees of each statement: SQLCODE, SQLSTATE,
      * SQLWARN0, SQLWARN1 to 5, an indicator, a value.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  X2   PIC X(2).
       01  X3   PIC X(3).
       01  X4   PIC X(4).
       01  X5   PIC X(5).
       01  X10  PIC X(10).
       01  X19  PIC X(19).
       01  X22  PIC X(22).
       01  H4   PIC S9(4) COMP.
       01  N9   PIC S9(9) COMP.
       01  P2   PIC S9(2) COMP-3.
       01  P3X  PIC X(2).
       01  P3   REDEFINES P3X PIC S9(3) COMP-3.
       01  VV.
           49 VL PIC S9(4) COMP.
           49 VT PIC X(10).
       01  Q.
           49 QL PIC S9(4) COMP.
           49 QT PIC X(60).
       01  IND   PIC S9(4) COMP VALUE 9.
       01  NUM   PIC -(5)9.
       01  CODE-SHOWN PIC -(4)9.
       01  IND-SHOWN PIC -(4)9.
       01  SHOWN PIC X(24) VALUE SPACES.
       01  WARNED PIC X(6).
           EXEC SQL DECLARE C1 CURSOR FOR SELECT A FROM W ORDER BY A
             FOR UPDATE OF B END-EXEC.
           EXEC SQL DECLARE C2 CURSOR FOR SELECT S FROM T
             ORDER BY S DESC END-EXEC.
           EXEC SQL DECLARE CS CURSOR FOR S1 END-EXEC.
           EXEC SQL DECLARE CN CURSOR FOR S2 END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA PIC X(60).
       PROCEDURE DIVISION.
           EVALUATE DFHCOMMAREA(1:8)
             WHEN 'CUT' PERFORM DO-CUT
             WHEN 'CUTV' PERFORM DO-CUTV
             WHEN 'CUTN' PERFORM DO-CUTN
             WHEN 'NULL' PERFORM DO-NULL
             WHEN 'NULLI' PERFORM DO-NULLI
             WHEN 'RANGE' PERFORM DO-RANGE
             WHEN 'RANGE2' PERFORM DO-RANGE2
             WHEN 'RANGE3' PERFORM DO-RANGE3
             WHEN 'RANGED' PERFORM DO-RANGED
             WHEN 'PART' PERFORM DO-PART
             WHEN 'FEW' PERFORM DO-FEW
             WHEN 'MANY' PERFORM DO-MANY
             WHEN 'TWO' PERFORM DO-TWO
             WHEN 'NONE' PERFORM DO-NONE
             WHEN 'DT' PERFORM DO-DT
             WHEN 'DT12' PERFORM DO-DT12
             WHEN 'CHARNUM' PERFORM DO-CHARNUM
             WHEN 'PAD' PERFORM DO-PAD
             WHEN 'PADV' PERFORM DO-PADV
             WHEN 'LIKE' PERFORM DO-LIKE
             WHEN 'LIKEH' PERFORM DO-LIKEH
             WHEN 'LIKEV' PERFORM DO-LIKEV
             WHEN 'EMPTYSUM' PERFORM DO-EMPTYSUM
             WHEN 'EMPTYCNT' PERFORM DO-EMPTYCNT
             WHEN 'EMPTYGRP' PERFORM DO-EMPTYGRP
             WHEN 'EMPTYHAV' PERFORM DO-EMPTYHAV
             WHEN 'DIVZERO' PERFORM DO-DIVZERO
             WHEN 'INSBIG' PERFORM DO-INSBIG
             WHEN 'INSLONG' PERFORM DO-INSLONG
             WHEN 'INSBLANK' PERFORM DO-INSBLANK
             WHEN 'INSCONST' PERFORM DO-INSCONST
             WHEN 'BADPACK' PERFORM DO-BADPACK
             WHEN 'BADDATE' PERFORM DO-BADDATE
             WHEN 'BADDATE2' PERFORM DO-BADDATE2
             WHEN 'NOTNULL' PERFORM DO-NOTNULL
             WHEN 'DUP' PERFORM DO-DUP
             WHEN 'UPDNONE' PERFORM DO-UPDNONE
             WHEN 'NEGLEN' PERFORM DO-NEGLEN
             WHEN 'PREPDEL' PERFORM DO-PREPDEL
             WHEN 'PREPUPD' PERFORM DO-PREPUPD
             WHEN 'PREPDELW' PERFORM DO-PREPDELW
             WHEN 'BROKEN' PERFORM DO-BROKEN
             WHEN 'IMMSEL' PERFORM DO-IMMSEL
             WHEN 'IMMMARK' PERFORM DO-IMMMARK
             WHEN 'IMMHOST' PERFORM DO-IMMHOST
             WHEN 'BLANK' PERFORM DO-BLANK
             WHEN 'EXSEL' PERFORM DO-EXSEL
             WHEN 'FEWMARK' PERFORM DO-FEWMARK
             WHEN 'MANYMARK' PERFORM DO-MANYMARK
             WHEN 'OPENNOT' PERFORM DO-OPENNOT
             WHEN 'OPENNONE' PERFORM DO-OPENNONE
             WHEN 'NOTABLE' PERFORM DO-NOTABLE
             WHEN 'NOCOLUMN' PERFORM DO-NOCOLUMN
             WHEN 'PREPOPEN' PERFORM DO-PREPOPEN
             WHEN 'COMMIT' PERFORM DO-COMMIT
             WHEN 'FETCHCL' PERFORM DO-FETCHCL
             WHEN 'CLOSECL' PERFORM DO-CLOSECL
             WHEN 'OPEN2' PERFORM DO-OPEN2
             WHEN 'UPDCL' PERFORM DO-UPDCL
             WHEN 'UPDBEF' PERFORM DO-UPDBEF
             WHEN 'UPDEND' PERFORM DO-UPDEND
             WHEN 'UPDDEL' PERFORM DO-UPDDEL
             WHEN 'END2' PERFORM DO-END2
             WHEN 'DESC' PERFORM DO-DESC
             WHEN 'COUNT' PERFORM DO-COUNT
             WHEN 'SCALE' PERFORM DO-SCALE
             WHEN 'PRODUCT' PERFORM DO-PRODUCT
             WHEN 'QUOTIENT' PERFORM DO-QUOTIENT
             WHEN 'RETYPE' PERFORM DO-RETYPE
             WHEN 'LONGER' PERFORM DO-LONGER
             WHEN 'EMPTYIN' PERFORM DO-EMPTYIN
             WHEN 'BITS' PERFORM DO-BITS
             WHEN 'BITNULS' PERFORM DO-BITNULS
             WHEN 'BITIN' PERFORM DO-BITIN
             WHEN 'ADDBIG' PERFORM DO-ADDBIG
             WHEN 'TRUNCD' PERFORM DO-TRUNCD
             WHEN 'MULBIG' PERFORM DO-MULBIG
             WHEN 'DATEADD' PERFORM DO-DATEADD
             WHEN 'SUBSEL' PERFORM DO-SUBSEL
             WHEN 'CASTNUM' PERFORM DO-CASTNUM
             WHEN 'INSNULLK' PERFORM DO-INSNULLK
             WHEN 'VALUES' PERFORM DO-VALUES
             WHEN 'DROPNONE' PERFORM DO-DROPNONE
             WHEN 'AMBIG' PERFORM DO-AMBIG
             WHEN 'GROUPBAD' PERFORM DO-GROUPBAD
             WHEN 'TYPES' PERFORM DO-TYPES
             WHEN 'ARGS' PERFORM DO-ARGS
             WHEN 'NOFUNC' PERFORM DO-NOFUNC
             WHEN 'DUPCOL' PERFORM DO-DUPCOL
             WHEN 'UNION' PERFORM DO-UNION
             WHEN 'ORDER' PERFORM DO-ORDER
             WHEN 'QUOTE' PERFORM DO-QUOTE
             WHEN 'CRTWICE' PERFORM DO-CRTWICE
             WHEN 'KEEPOLD' PERFORM DO-KEEPOLD
             WHEN 'DTSHORT' PERFORM DO-DTSHORT
             WHEN 'NULLCMP' PERFORM DO-NULLCMP
             WHEN OTHER MOVE 'NO SUCH CASE' TO SHOWN
           END-EVALUATE.
           MOVE SQLCODE TO CODE-SHOWN.
           MOVE IND TO IND-SHOWN.
           MOVE SQLWARN TO WARNED.
           INSPECT WARNED REPLACING ALL SPACE BY '.'.
           MOVE SPACES TO DFHCOMMAREA.
           STRING CODE-SHOWN ' ' SQLSTATE ' ' WARNED(1:1) ' '
                  WARNED(2:5) ' ' IND-SHOWN ' ' SHOWN
                  DELIMITED BY SIZE INTO DFHCOMMAREA.
           EXEC CICS SYNCPOINT ROLLBACK END-EXEC.
           EXEC CICS RETURN END-EXEC.
       SHOW-N.
           MOVE N9 TO NUM.
           MOVE NUM TO SHOWN.
       DO-CUT.
           EXEC SQL SELECT C5
             INTO :X3 :IND
             FROM T WHERE ID = 1 END-EXEC
           MOVE X3 TO SHOWN.
       DO-CUTV.
           EXEC SQL SELECT V10
             INTO :X2 :IND
             FROM T WHERE ID = 1 END-EXEC
           MOVE X2 TO SHOWN.
       DO-CUTN.
           EXEC SQL SELECT C5
             INTO :X3
             FROM T WHERE ID = 1 END-EXEC
           MOVE X3 TO SHOWN.
       DO-NULL.
           EXEC SQL SELECT C5
             INTO :X5
             FROM T WHERE ID = 2 END-EXEC.
       DO-NULLI.
           MOVE 'OLD' TO X5
           EXEC SQL SELECT C5
             INTO :X5 :IND
             FROM T WHERE ID = 2 END-EXEC
           MOVE X5 TO SHOWN.
       DO-RANGE.
           EXEC SQL SELECT N
             INTO :H4
             FROM T WHERE ID = 1 END-EXEC.
       DO-RANGE2.
           EXEC SQL SELECT N
             INTO :H4
             FROM T WHERE ID = 3 END-EXEC.
       DO-RANGE3.
           EXEC SQL SELECT N
             INTO :H4 :IND
             FROM T WHERE ID = 3 END-EXEC.
       DO-RANGED.
           EXEC SQL SELECT D
             INTO :P2
             FROM T WHERE ID = 1 END-EXEC.
       DO-PART.
           EXEC SQL SELECT D
             INTO :H4
             FROM T WHERE ID = 1 END-EXEC
           MOVE H4 TO NUM
           MOVE NUM TO SHOWN.
       DO-FEW.
           EXEC SQL SELECT C5, S
             INTO :X5
             FROM T WHERE ID = 1 END-EXEC
           MOVE X5 TO SHOWN.
       DO-MANY.
           MOVE 5 TO N9
           EXEC SQL SELECT C5
             INTO :X5, :N9
             FROM T WHERE ID = 1 END-EXEC
           MOVE N9 TO NUM
           MOVE NUM TO SHOWN.
       DO-TWO.
           EXEC SQL SELECT C5
             INTO :X5
             FROM T WHERE ID > 0 END-EXEC.
       DO-NONE.
           EXEC SQL SELECT C5
             INTO :X5
             FROM T WHERE ID > 9 END-EXEC.
       DO-DT.
           EXEC SQL SELECT DT
             INTO :X10 :IND
             FROM T WHERE ID = 1 END-EXEC
           MOVE X10 TO SHOWN.
       DO-DT12.
           EXEC SQL SELECT DT
             INTO :X19 :IND
             FROM T WHERE ID = 1 END-EXEC
           MOVE X19 TO SHOWN.
       DO-CHARNUM.
           EXEC SQL SELECT C5
             INTO :N9
             FROM T WHERE ID = 1 END-EXEC.
       DO-PAD.
           EXEC SQL SELECT COUNT(*)
             INTO :N9
             FROM T WHERE C5 = 'ABC    ' END-EXEC
           PERFORM SHOW-N.
       DO-PADV.
           EXEC SQL SELECT COUNT(*)
             INTO :N9
             FROM T WHERE V10 = 'x' END-EXEC
           PERFORM SHOW-N.
       DO-LIKE.
           EXEC SQL SELECT COUNT(*)
             INTO :N9
             FROM T WHERE C5 LIKE 'ABC' END-EXEC
           PERFORM SHOW-N.
       DO-LIKEH.
           MOVE 'AB%' TO X5
           EXEC SQL SELECT COUNT(*)
             INTO :N9
             FROM T WHERE C5 LIKE :X5 END-EXEC
           PERFORM SHOW-N.
       DO-LIKEV.
           MOVE 'x%' TO X10
           EXEC SQL SELECT COUNT(*)
             INTO :N9
             FROM T WHERE V10 LIKE :X10 END-EXEC
           PERFORM SHOW-N.
       DO-EMPTYSUM.
           EXEC SQL SELECT SUM(A) INTO :N9 FROM E END-EXEC.
       DO-EMPTYCNT.
           EXEC SQL SELECT COUNT(*) INTO :N9 FROM E END-EXEC
           PERFORM SHOW-N.
       DO-EMPTYGRP.
           EXEC SQL SELECT MAX(A) INTO :N9 FROM E GROUP BY B END-EXEC.
       DO-EMPTYHAV.
           EXEC SQL SELECT MAX(A) INTO :N9 FROM E
             HAVING COUNT(*) > 0 END-EXEC.
       DO-DIVZERO.
           EXEC SQL SELECT D / 0
             INTO :N9
             FROM T WHERE ID = 1 END-EXEC.
       DO-INSBIG.
           MOVE 40000 TO N9
           EXEC SQL INSERT INTO T (ID, S) VALUES (50, :N9) END-EXEC.
       DO-INSLONG.
           MOVE 'ABCDEF' TO X10
           EXEC SQL INSERT INTO T (ID, C5) VALUES (51, :X10) END-EXEC.
       DO-INSBLANK.
           MOVE 'ABCDE' TO X10
           EXEC SQL INSERT INTO T (ID, C5) VALUES (52, :X10) END-EXEC.
       DO-INSCONST.
           EXEC SQL INSERT INTO T (ID, C5)
             VALUES (53, C5 CONCAT 'Z') END-EXEC.
       DO-BADPACK.
           MOVE X'1234' TO P3X
           EXEC SQL UPDATE T SET D = :P3 WHERE ID = 1 END-EXEC.
       DO-BADDATE.
           MOVE '2023-02-29' TO X10
           EXEC SQL UPDATE T SET DT = :X10 WHERE ID = 1 END-EXEC.
       DO-BADDATE2.
           MOVE 'TOMORROW' TO X10
           EXEC SQL UPDATE T SET DT = :X10 WHERE ID = 1 END-EXEC.
       DO-NOTNULL.
           MOVE -1 TO IND
           EXEC SQL INSERT INTO W VALUES (:N9 :IND, 'A') END-EXEC.
       DO-DUP.
           EXEC SQL INSERT INTO T (ID) VALUES (1) END-EXEC.
       DO-UPDNONE.
           EXEC SQL UPDATE T SET S = 1 WHERE ID = 99 END-EXEC.
       DO-NEGLEN.
           MOVE -5 TO VL
           MOVE 'A' TO VT
           EXEC SQL UPDATE T SET V10 = :VV WHERE ID = 1 END-EXEC.
       DO-PREPDEL.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM W'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-PREPUPD.
           MOVE 60 TO QL
           MOVE
             'UPDATE W SET A = 1'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-PREPDELW.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM W WHERE A = 1'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-BROKEN.
           MOVE 60 TO QL
           MOVE
             'SELECT A FORM W'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC
           MOVE SQLERRD (5) TO N9
           PERFORM SHOW-N.
       DO-IMMSEL.
           MOVE 60 TO QL
           MOVE
             'SELECT A FROM W'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-IMMMARK.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM W WHERE A = ?'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-IMMHOST.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM W WHERE A = :N9'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-BLANK.
           MOVE 60 TO QL
           MOVE
             ' '
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-EXSEL.
           MOVE 60 TO QL
           MOVE
             'SELECT A FROM W'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC
           EXEC SQL EXECUTE S1 END-EXEC.
       DO-FEWMARK.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM W WHERE A = ? AND B = ?'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC
           MOVE 9 TO N9
           EXEC SQL EXECUTE S1 USING :N9 END-EXEC.
       DO-MANYMARK.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM W WHERE A = ?'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC
           MOVE 99 TO N9
           EXEC SQL EXECUTE S1 USING :N9, :X5 END-EXEC.
       DO-OPENNOT.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM W WHERE A = 99'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC
           EXEC SQL OPEN CS END-EXEC.
       DO-OPENNONE.
           EXEC SQL OPEN CN END-EXEC.
       DO-NOTABLE.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM NOWHERE WHERE A = 1'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-NOCOLUMN.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM W WHERE NONE = 1'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-PREPOPEN.
           MOVE 60 TO QL
           MOVE
             'SELECT A FROM W'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC
           EXEC SQL OPEN CS END-EXEC
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-COMMIT.
           MOVE 60 TO QL
           MOVE
             'COMMIT'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-FETCHCL.
           EXEC SQL FETCH C1 INTO :N9 END-EXEC.
       DO-CLOSECL.
           EXEC SQL CLOSE C1 END-EXEC.
       DO-OPEN2.
           EXEC SQL OPEN C1 END-EXEC
           EXEC SQL OPEN C1 END-EXEC.
       DO-UPDCL.
           EXEC SQL UPDATE W SET B = 'Z' WHERE CURRENT OF C1
           END-EXEC.
       DO-UPDBEF.
           EXEC SQL OPEN C1 END-EXEC
           EXEC SQL UPDATE W SET B = 'Z' WHERE CURRENT OF C1
           END-EXEC.
       DO-UPDEND.
           EXEC SQL OPEN C1 END-EXEC
           PERFORM 5 TIMES
              EXEC SQL FETCH C1 INTO :N9 END-EXEC
           END-PERFORM
           EXEC SQL DELETE FROM W WHERE CURRENT OF C1
           END-EXEC.
       DO-UPDDEL.
           EXEC SQL OPEN C1 END-EXEC
           EXEC SQL FETCH C1 INTO :N9 END-EXEC
           EXEC SQL DELETE FROM W WHERE CURRENT OF C1
           END-EXEC
           EXEC SQL UPDATE W SET B = 'Z' WHERE CURRENT OF C1
           END-EXEC.
       DO-END2.
           EXEC SQL OPEN C1 END-EXEC
           PERFORM 6 TIMES
              EXEC SQL FETCH C1 INTO :N9 END-EXEC
           END-PERFORM
           PERFORM SHOW-N.
       DO-DESC.
           EXEC SQL OPEN C2 END-EXEC
           EXEC SQL FETCH C2 INTO :H4 :IND END-EXEC.
       DO-COUNT.
           EXEC SQL DELETE FROM W WHERE A > 2 END-EXEC
           MOVE SQLERRD (3) TO N9
           PERFORM SHOW-N.
       DO-SCALE.
           EXEC SQL SELECT D / 7
             INTO :X5
             FROM T WHERE ID = 1 END-EXEC.
       DO-PRODUCT.
           EXEC SQL SELECT CHAR(D * D)
             INTO :X22
             FROM T WHERE ID = 1 END-EXEC
           MOVE X22 TO SHOWN.
       DO-QUOTIENT.
           EXEC SQL SELECT CHAR(D / 7)
             INTO :X22
             FROM T WHERE ID = 1 END-EXEC
           MOVE X22 TO SHOWN.
       DO-RETYPE.
           EXEC SQL UPDATE T SET S = N WHERE ID = 3 END-EXEC.
       DO-LONGER.
           EXEC SQL UPDATE T SET C5 = V10 CONCAT 'abcdef'
             WHERE ID = 1 END-EXEC.
       DO-EMPTYIN.
           MOVE 0 TO VL
           EXEC SQL SELECT COUNT(*) INTO :N9 FROM T
             WHERE V10 = :VV END-EXEC
           PERFORM SHOW-N.
       DO-BITS.
           EXEC SQL SELECT BITS
             INTO :X4
             FROM T WHERE ID = 1 END-EXEC
           EXEC SQL SELECT COUNT(*)
             INTO :N9
             FROM T WHERE BITS = :X4 END-EXEC
           PERFORM SHOW-N.
       DO-BITNULS.
           EXEC SQL SELECT BITS
             INTO :X4
             FROM T WHERE ID = 3 END-EXEC
           IF X4 = X'00FF00FF' MOVE 'SAME' TO SHOWN END-IF.
       DO-BITIN.
           MOVE X'00010203' TO X4
           EXEC SQL UPDATE T SET BITS = :X4 WHERE ID = 2 END-EXEC
           EXEC SQL SELECT ID
             INTO :N9
             FROM T WHERE BITS = :X4 END-EXEC
           PERFORM SHOW-N.
       DO-ADDBIG.
           EXEC SQL SELECT N * N
             INTO :N9
             FROM T WHERE ID = 3 END-EXEC.
       DO-TRUNCD.
           EXEC SQL UPDATE T SET D = 1.999 WHERE ID = 2 END-EXEC
           EXEC SQL SELECT CHAR(D)
             INTO :X10
             FROM T WHERE ID = 2 END-EXEC
           MOVE X10 TO SHOWN.
       DO-MULBIG.
           EXEC SQL UPDATE T SET D = D * 100 WHERE ID = 1 END-EXEC.
       DO-DATEADD.
           EXEC SQL SELECT CHAR(TS + 1 DAY)
             INTO :X19
             FROM T WHERE ID = 3 END-EXEC.
       DO-SUBSEL.
           EXEC SQL SELECT C5
             INTO :X5
             FROM T WHERE ID = (SELECT A FROM W) END-EXEC.
       DO-CASTNUM.
           EXEC SQL SELECT INTEGER(V10)
             INTO :N9
             FROM T WHERE ID = 1 END-EXEC.
       DO-INSNULLK.
           EXEC SQL INSERT INTO T (C5) VALUES ('A') END-EXEC.
       DO-VALUES.
           MOVE 60 TO QL
           MOVE
             'INSERT INTO W VALUES (1)'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-DROPNONE.
           MOVE 60 TO QL
           MOVE
             'DROP TABLE NOWHERE'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-AMBIG.
           MOVE 60 TO QL
           MOVE
             'DELETE FROM T WHERE ID IN (SELECT A FROM W X, W Y)'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-GROUPBAD.
           MOVE 60 TO QL
           MOVE
             'SELECT C5, COUNT(*) FROM T'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-TYPES.
           MOVE 60 TO QL
           MOVE
             'SELECT C5 FROM T WHERE DT = 5'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-ARGS.
           MOVE 60 TO QL
           MOVE
             'SELECT SUBSTR(C5) FROM T'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-NOFUNC.
           MOVE 60 TO QL
           MOVE
             'SELECT NOSUCH(C5) FROM T'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-DUPCOL.
           MOVE 60 TO QL
           MOVE
             'INSERT INTO W (A, A) VALUES (1, 2)'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-UNION.
           MOVE 60 TO QL
           MOVE
             'SELECT A, B FROM W UNION SELECT A FROM W'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-ORDER.
           MOVE 60 TO QL
           MOVE
             'SELECT A FROM W ORDER BY 2'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-QUOTE.
           MOVE 60 TO QL
           MOVE
             'SELECT ''A FROM W'
             TO QT
           EXEC SQL PREPARE S1 FROM :Q END-EXEC.
       DO-CRTWICE.
           MOVE 60 TO QL
           MOVE
             'CREATE TABLE W (A INTEGER)'
             TO QT
           EXEC SQL EXECUTE IMMEDIATE :Q END-EXEC.
       DO-KEEPOLD.
           MOVE 'OLD' TO X5
           EXEC SQL SELECT C5
             INTO :X5
             FROM T WHERE ID = 77 END-EXEC
           MOVE X5 TO SHOWN.
       DO-DTSHORT.
           MOVE '24.00.00' TO X10
           EXEC SQL UPDATE T SET TM = :X10 WHERE ID = 1 END-EXEC
           EXEC SQL SELECT TM
             INTO :X10
             FROM T WHERE ID = 1 END-EXEC
           MOVE X10 TO SHOWN.
       DO-NULLCMP.
           EXEC SQL SELECT COUNT(*) INTO :N9 FROM T
             WHERE C5 <> 'ABC' END-EXEC
           PERFORM SHOW-N.
