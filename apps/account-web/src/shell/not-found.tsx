import { useTranslation } from "react-i18next";
import { NextStep } from "../components/next-step.tsx";
import { CardPage } from "../components/card-page.tsx";

/** Shown for an address that has no page. */
export const NotFound = () => {
  const { t } = useTranslation("errors");
  return (
    <CardPage title={t("pages.notFound.title")} lead={t("pages.notFound.text")}>
      <NextStep />
    </CardPage>
  );
};
