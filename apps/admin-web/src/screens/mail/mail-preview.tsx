import { inertMail, styleKeptIn } from "./inert-mail.ts";

/** Applies the styles kept in `data-style` through the DOM, which the content security policy allows. */
const applyStyles = (frame: HTMLIFrameElement): void => {
  for (const element of frame.contentDocument?.querySelectorAll(`[${styleKeptIn}]`) ?? [])
    if ("style" in element)
      (element as HTMLElement).style.cssText = element.getAttribute(styleKeptIn) ?? "";
};

/** Shows a mail as its recipient sees it, in a sandboxed frame without scripts and without working links. */
export const MailPreview = ({ html }: { html: string }) => (
  <iframe
    title="Email preview"
    // The frame keeps our origin so that its styles can be set. Without scripts, its content cannot use that origin.
    sandbox="allow-same-origin"
    srcDoc={inertMail(html)}
    onLoad={(event) => applyStyles(event.currentTarget)}
    className="h-96 w-full rounded-md border"
  />
);
