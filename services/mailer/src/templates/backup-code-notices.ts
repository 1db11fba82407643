import type { EventData } from "@latchkey/contracts";
import { type Mail, noticeMail } from "./mail.ts";

const codesLeftText = (count: number): string => {
  if (count === 0) return "No backup codes are left";
  return count === 1 ? "1 backup code is left" : `${count} backup codes are left`;
};

/** Notifies the user that a backup code was used. */
export const backupCodeUsedMail = (
  appName: string,
  { name, codesLeft }: EventData<"backup-code.used">,
): Mail =>
  noticeMail({
    subject: `A backup code was used at ${appName}`,
    name,
    lead: `A backup code of your account at ${appName} was used. ${codesLeftText(codesLeft)}.`,
    footer: `If this was not you, somebody else has your backup codes: change your password at ${appName}, and create new backup codes.`,
  });

/** Notifies the user that the backup codes were replaced. */
export const backupCodesGeneratedMail = (
  appName: string,
  { name }: EventData<"backup-codes.generated">,
): Mail =>
  noticeMail({
    subject: `New backup codes were created at ${appName}`,
    name,
    lead: `New backup codes were created for your account at ${appName}. The earlier ones are not valid any more.`,
    footer: `If this was not you, somebody else has access to your account: change your password at ${appName}, and create new backup codes.`,
  });
