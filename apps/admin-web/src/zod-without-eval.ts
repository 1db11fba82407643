import { config } from "zod";

// Zod would compile schemas to code, which the policy of the page forbids, and every try would be reported.
config({ jitless: true });
