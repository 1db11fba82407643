import { personExport } from "@latchkey/service-kit";
import { schema } from "./db/schema.ts";
import { exportPerson as exportPersonWith } from "./export/export-person.ts";

// Operator commands, which work with or without the running service.

export { checkSmtp } from "./deliveries/check-smtp.ts";

/** Exports the mails to a user. */
export const exportPerson = personExport(schema, exportPersonWith);
