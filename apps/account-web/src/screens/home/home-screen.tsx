import { Button } from "@latchkey/ui/components/button.tsx";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { FormError } from "../../components/form-error.tsx";
import { sessionQuery } from "../../session/session-query.ts";
import { useSignOut } from "../../session/use-sign-out.ts";
import { CardPage } from "../../components/card-page.tsx";

/** Shows who is signed in. */
export const HomeScreen = () => {
  const { t } = useTranslation("home");
  const { data } = useSuspenseQuery(sessionQuery);
  const signOut = useSignOut();
  return (
    <CardPage title={t("title")} lead={t("signedInAs", { email: data?.user.email ?? "" })}>
      {signOut.error && <FormError error={signOut.error} />}
      <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        {t("signOut")}
      </Button>
    </CardPage>
  );
};
