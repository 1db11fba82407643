import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { type Mail, notice } from "./mail.ts";

/** Notifies the user that a backup code was used. */
export const backupCodeUsedMail = (
  wording: Wording,
  { name, codesLeft }: EventData<"backup-code.used">,
): Mail => notice(wording, { texts: "backupCodeUsed", name, values: { codesLeft } });

/** Notifies the user that the backup codes were replaced. */
export const backupCodesGeneratedMail = (
  wording: Wording,
  { name }: EventData<"backup-codes.generated">,
): Mail => notice(wording, { texts: "backupCodesGenerated", name });
