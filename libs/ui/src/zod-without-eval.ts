// oxlint-disable-next-line no-restricted-imports -- every other file gets Zod from here
import { z } from "zod";

// Keeps Zod from compiling schemas with `eval`, which the content security policy forbids and reports.
z.config({ jitless: true });

export { z };
