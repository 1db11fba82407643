import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { optionsQuery } from "../../components/options-query.ts";

/** Whether mails are captured instead of sent, because no SMTP server is configured. Returns undefined while loading. */
export const useIsCapturing = (): boolean | undefined => {
  const { may } = useAccess();
  const { data, isLoading } = useQuery({
    ...optionsQuery,
    enabled: may("settings:read"),
    select: ({ options }) =>
      options.some(({ name, value }) => name === "mail.smtpUrl" && value === null),
  });
  // Returns false if this admin may not read it or if the request fails, so that the screen does not wait.
  return data ?? (isLoading ? undefined : false);
};
