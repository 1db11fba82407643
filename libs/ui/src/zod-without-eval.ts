import { config } from "zod";

// Keeps Zod from compiling schemas with `eval`, which the content security policy forbids and reports.
config({ jitless: true });
