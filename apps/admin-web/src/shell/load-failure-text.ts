import { t } from "../texts.ts";

/** Said when code of the page could not be loaded: without a network, or because an update replaced the version that served the page. */
export const loadFailureText = {
  title: t("shell.loadFailure.title"),
  advice: t("shell.loadFailure.advice"),
  action: t("shell.loadFailure.action"),
};
