import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "../../api/contracts.ts";
import { operationQuery } from "../../api/operation-query.ts";

/** Whether mails are kept instead of sent, because no SMTP server is named; false for who may not know. */
export const useIsCapturing = (): boolean => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...operationQuery(operations.gateway.adminReadSettings, {}),
    enabled: may("settings:read"),
    select: ({ options }) =>
      options.some(({ name, value }) => name === "mail.smtpUrl" && value === null),
  });
  return data ?? false;
};
