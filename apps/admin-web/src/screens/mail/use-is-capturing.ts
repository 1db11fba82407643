import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";

/** Whether mails are kept instead of sent, because no SMTP server is named; undefined until that is known. */
export const useIsCapturing = (): boolean | undefined => {
  const { may } = useAccess();
  const { data, isLoading } = useQuery({
    ...operationQuery(operations.gateway.adminReadSettings, {}),
    enabled: may("settings:read"),
    select: ({ options }) =>
      options.some(({ name, value }) => name === "mail.smtpUrl" && value === null),
  });
  // Who may not know, and whom nobody tells, is not kept waiting for it.
  return data ?? (isLoading ? undefined : false);
};
