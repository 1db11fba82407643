import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { useTranslation } from "../languages.ts";
import { TextLink } from "./text-link.tsx";

/** The way on from a sign-in that was refused because too many users are signed in in this browser. */
export const ManageUsers = ({ error }: { error: unknown }) => {
  const t = useTranslation("signIn");
  if (!(error instanceof ApiError) || error.code !== "TOO_MANY_SESSIONS") return null;
  return (
    <TextLink to="/choose" search={({ redirect_to }) => ({ redirect_to })}>
      {t("manageUsers")}
    </TextLink>
  );
};
