import { Link } from "@tanstack/react-router";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Page } from "../components/page.tsx";
import { FrontPage } from "./front-page.tsx";
import { t } from "../texts.ts";

const title = t("shell.notFound.title");

const Content = () => (
  <div className="flex flex-col items-start gap-3">
    <p className="text-muted">{t("shell.notFound.text")}</p>
    <Link to="/" className={buttonStyle()}>
      {t("shell.notFound.action")}
    </Link>
  </div>
);

/** Shown for an unknown address. */
export const NotFound = () => (
  <FrontPage title={title}>
    <Content />
  </FrontPage>
);

/** Shown for an unknown address of a screen. */
export const ScreenNotFound = () => (
  <Page title={title}>
    <Content />
  </Page>
);
