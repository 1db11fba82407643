import { config } from "zod/mini";

// Keeps Zod from compiling schemas with `eval`, which the content security policy forbids and reports.
config({ jitless: true });
