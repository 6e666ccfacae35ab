#define FROM_OUTER 1
#include "inner.h"
