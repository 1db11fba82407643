import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../languages.ts";
import { sessionQuery } from "../session/session-query.ts";

/** Says to a guest that an account keeps what they have. */
export const GuestNotice = () => {
  const t = useTranslation("signUp");
  const { data: session } = useQuery(sessionQuery);
  return session?.user.isAnonymous ? <Notice>{t("guest")}</Notice> : null;
};
