/* Stands for the run time in tests: prints every call, answers the next digit of TXM_SCRIPT. */
#include <stdio.h>
#include <stdlib.h>

#include <libcob.h>

static const char *script;

static int answer(void)
{
    if (script == NULL)
        script = getenv("TXM_SCRIPT") ? getenv("TXM_SCRIPT") : "";
    if (*script == '\0')
        return 0;
    return *script == '-' ? (script++, -1) : *script++ - '0';
}

static void show(const char *what, int first)
{
    cob_global *global = cob_get_global_ptr();
    int count = cob_get_num_params();
    printf("%s", what);
    for (int i = first; i < count; i++) {
        cob_field *f = global->cob_current_module->cob_procedure_params[i];
        if (f->attr->type & COB_TYPE_NUMERIC && !(f->attr->type & COB_TYPE_ALNUM))
            printf(" %d", cob_get_int(f));
        else
            printf(" [%.*s]", (int)f->size, (const char *)f->data);
    }
    printf("\n");
}

int TXMENTRY(char *name)
{
    (void)name;
    show("entry", 0);
    return answer();
}

int TXMTABLE(void)
{
    return 0;
}

void TXMOPERAND(void *operand, int bytes)
{
    (void)operand;
    (void)bytes;
}

void TXMEXTEND(void)
{
}

int TXMHIGH(void)
{
    return 0;
}

int TXMEXEC(unsigned char *descriptor)
{
    char what[40];
    snprintf(what, sizeof what, "line %d flags %d", descriptor[9], descriptor[3]);
    show(what, 1);
    return answer();
}
