import { inertMail, styleKeptIn } from "./inert-mail.ts";

/** Gives elements the styles that wait for them, one by one, as the policy of the page allows. */
const applyStyles = (frame: HTMLIFrameElement): void => {
  for (const element of frame.contentDocument?.querySelectorAll(`[${styleKeptIn}]`) ?? [])
    if ("style" in element)
      (element as HTMLElement).style.cssText = element.getAttribute(styleKeptIn) ?? "";
};

/** A mail as its reader sees it. It lies in a frame of its own in which no script runs and from which nothing leads out. */
export const MailPreview = ({ html }: { html: string }) => (
  <iframe
    title="The mail as its reader sees it"
    // Its origin is ours so that its styles can be set; without scripts it can do nothing with that.
    sandbox="allow-same-origin"
    srcDoc={inertMail(html)}
    onLoad={(event) => applyStyles(event.currentTarget)}
    className="h-96 w-full rounded-md border"
  />
);
