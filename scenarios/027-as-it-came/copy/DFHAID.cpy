      * One's own, with the keys this application knows.
       01  DFHAID.
           02  DFHENTER  PIC X VALUE X'7D'.
           02  DFHPF3    PIC X VALUE X'F3'.
           02  DFHPF12   PIC X VALUE '@'.
           02  DFHMINE   PIC X VALUE X'F5'.
