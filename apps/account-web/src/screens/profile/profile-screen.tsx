import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Screen } from "../../components/account/screen.tsx";
import { sessionQuery } from "../../session/session-query.ts";
import { Email } from "./email.tsx";
import { ProfileForm } from "./profile-form.tsx";

/** The name, picture, username and email of the user. */
export const ProfileScreen = () => {
  const { t } = useTranslation("profile");
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const { user } = session;
  return (
    <Screen title={t("title")} lead={t("signedInAs", { email: user.email })}>
      <ProfileForm user={user} />
      <Email user={user} />
    </Screen>
  );
};
