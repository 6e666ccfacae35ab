#define FROM_INNER 2
