import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Divider } from "../../components/divider.tsx";
import { ProviderButtons } from "../../components/providers/provider-buttons.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { facts } from "../../facts.ts";
import { useArrive } from "../../session/use-arrive.ts";
import { CardPage } from "../../components/card-page.tsx";
import { SignUpForm } from "./sign-up-form.tsx";

const route = getRouteApi("/sign-up");

/** Creates an account, and says what follows if its email must be verified first. */
export const SignUpScreen = () => {
  const { t } = useTranslation("signUp");
  const { redirect_to } = route.useSearch();
  const arrive = useArrive();
  const [mailed, setMailed] = useState<string>();
  const aside = (
    <p>
      {t("hasAccount")}{" "}
      <TextLink to="/sign-in" search={{ redirect_to }}>
        {t("signIn")}
      </TextLink>
    </p>
  );
  if (mailed !== undefined)
    return (
      <CardPage
        title={t("mailed.title")}
        lead={t("mailed.text", { email: mailed })}
        aside={aside}
      />
    );
  const takesSignUp = facts.password?.takesSignUp === true;
  if (!takesSignUp && facts.providers.length === 0)
    return <CardPage title={t("closed.title")} lead={t("closed.text")} aside={aside} />;
  return (
    <CardPage title={t("title")} lead={t("lead", { name: facts.branding.name })} aside={aside}>
      {facts.providers.length > 0 && <ProviderButtons />}
      {facts.providers.length > 0 && takesSignUp && <Divider />}
      {takesSignUp && <SignUpForm onSignedIn={arrive} onMailed={setMailed} />}
    </CardPage>
  );
};
