import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { CardPage } from "../../components/card-page.tsx";
import { failureOf } from "./failure-of.ts";

const route = getRouteApi("/error");

/** Says why a sign-in or a link failed, and leads back to the sign-in. */
export const ErrorScreen = () => {
  const { t } = useTranslation("links");
  const { error, redirect_to } = route.useSearch();
  const failure = failureOf(error);
  return (
    <CardPage title={t(`failures.${failure}.title`)} lead={t(`failures.${failure}.text`)}>
      <Link to="/sign-in" search={{ redirect_to }} className={buttonStyle("primary")}>
        {t("toSignIn")}
      </Link>
    </CardPage>
  );
};
