import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Link } from "@tanstack/react-router";
import { facts } from "../facts.ts";
import { useTranslation } from "../languages.ts";

/** The way on from a page on which nothing more is to be done: to the application, or else to the account. */
export const NextStep = () => {
  const t = useTranslation("page");
  const { applicationURL, branding } = facts;
  if (applicationURL)
    return (
      <a href={applicationURL} className={buttonStyle("primary")}>
        {t("goToApplication", { name: branding.name })}
      </a>
    );
  return (
    <Link to="/" className={buttonStyle("primary")}>
      {t("continue")}
    </Link>
  );
};
