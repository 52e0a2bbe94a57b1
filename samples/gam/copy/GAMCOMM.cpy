      * What the programs of the mall hand to each other.
       01  GAM-COMMAREA.
      *    Y: show the screen; blank: a key of it has been pressed.
           05  COMM-SHOW        PIC X.
           05  COMM-USER        PIC X(8).
           05  COMM-NAME        PIC X(20).
           05  COMM-MAKE        PIC S9(4) COMP.
           05  COMM-MODEL       PIC S9(4) COMP.
           05  COMM-PAGE        PIC S9(4) COMP.
           05  COMM-PAGES       PIC S9(4) COMP.
           05  COMM-MESSAGE     PIC X(60).
