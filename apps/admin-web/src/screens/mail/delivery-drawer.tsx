import { showEmail } from "@latchkey/contracts/email-address.ts";
import { RotateCw, Eye } from "lucide-react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { useState } from "react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useAccess } from "../../access/use-access.ts";
import { DeliveryState, isUnderWay } from "../../components/mails/delivery-state.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import type { Delivery } from "../../components/mails/mail-list.ts";
import { useDelivery, type Attempt } from "./use-deliveries.ts";
import { language, t } from "../../texts.ts";

/** Elements that load, run, move or send something. The sandbox of the frame forbids them too. */
const banned =
  "script, style, link, meta, base, iframe, frame, object, embed, form, input, button, img, video, audio, svg";

/** Holds inline styles, which the content security policy would block and report as text in a `style` attribute. */
const styleKeptIn = "data-style";

/**
 * Returns the HTML of a mail for display only: nothing in it can be followed or loaded. Inline styles, which the content security
 * policy forbids, are moved to `data-style`. The style sheet is dropped, so the mail is shown as on light pages.
 */
const inertMail = (html: string): string => {
  // Drops the style sheet and renames `style` attributes before parsing, because the parser would report each as a policy violation.
  const parsed = new DOMParser().parseFromString(
    html
      .replaceAll(/<style\b.*?<\/style>/gis, "")
      .replaceAll(/(<[a-z][^<>]*?\s)style=/gi, `$1${styleKeptIn}=`),
    "text/html",
  );
  for (const element of parsed.querySelectorAll(banned)) element.remove();
  for (const link of parsed.querySelectorAll("[href]")) link.removeAttribute("href");
  return parsed.documentElement.outerHTML;
};

/** Applies the styles kept in `data-style` through the DOM, which the content security policy allows. */
const applyStyles = (frame: HTMLIFrameElement): void => {
  for (const element of frame.contentDocument?.querySelectorAll(`[${styleKeptIn}]`) ?? [])
    if ("style" in element)
      (element as HTMLElement).style.cssText = element.getAttribute(styleKeptIn) ?? "";
};

/** Shows a mail as its recipient sees it, in a sandboxed frame without scripts and without working links. */
const MailPreview = ({ html }: { html: string }) => (
  <iframe
    title={t("mails.preview.title")}
    // The frame keeps our origin so that its styles can be set. Without scripts, its content cannot use that origin.
    sandbox="allow-same-origin"
    srcDoc={inertMail(html)}
    onLoad={(event) => applyStyles(event.currentTarget)}
    className="h-96 w-full rounded-md border"
  />
);

const { adminGetDelivery } = operations.mailer;

type ReadMail = CallReply<typeof adminGetDelivery>;

const isOfTheWeb = (link: string): boolean => /^https?:$/.test(URL.parse(link)?.protocol ?? "");

const languageName = (locale: ReadMail["locale"]): string =>
  (locale && new Intl.DisplayNames(language, { type: "language" }).of(locale)) ??
  t("mails.unknownLanguage");

/** Offers to open the link only of a captured mail: the link of any other mail is meant for its recipient. */
const MailLink = ({ mail: { link, state } }: { mail: ReadMail }) => {
  if (link === null) return null;
  return (
    <section
      aria-label={t("mails.link.title")}
      className="flex flex-col gap-2 rounded-md border p-3"
    >
      <p className="text-muted">
        {state === "captured" ? t("mails.link.captured") : t("mails.link.sent")}
      </p>
      <div className="flex items-start gap-2">
        <code className="max-h-24 min-w-0 flex-1 overflow-y-auto font-mono text-xs break-all">
          {link}
        </code>
        <CopyId id={link} of={t("mails.link.thisOne")} hidesId />
      </div>
      {state === "captured" && isOfTheWeb(link) && (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          className={`${buttonStyle("secondary")} self-start`}
        >
          {t("mails.link.open")}
        </a>
      )}
    </section>
  );
};

const PlainText = ({ mail: { locale }, text }: { mail: ReadMail; text: string }) => (
  <pre
    tabIndex={0}
    role="region"
    aria-label={t("mails.plainTextOf")}
    lang={locale ?? undefined}
    dir="auto"
    className="max-h-96 overflow-auto rounded-md border bg-sunken p-3 font-mono text-xs whitespace-pre-wrap"
  >
    {text}
  </pre>
);

const Said = ({ mail }: { mail: ReadMail }) => {
  const [side, setSide] = useState("html");
  if (mail.isWithheld) return <Notice>{t("mails.withheld")}</Notice>;
  if (mail.text === null) return <Notice tone="warning">{t("mails.unreadable")}</Notice>;
  const plain = <PlainText mail={mail} text={mail.text} />;
  if (mail.html === null) return plain;
  return (
    <div className="flex flex-col gap-4">
      <Facts facts={{ [t("common.language")]: languageName(mail.locale) }} />
      <Tabs
        label={t("mails.views")}
        value={side}
        onChange={setSide}
        tabs={[
          {
            value: "html",
            label: t("mails.preview.tab"),
            content: <MailPreview html={mail.html} />,
          },
          {
            value: "text",
            label: t("mails.plainText"),
            content: plain,
          },
        ]}
      />
      <MailLink mail={mail} />
    </div>
  );
};

/** Shows the content of a mail on demand. Each read is recorded in the audit log. */
const MailContent = ({ id }: { id: string }) => {
  const { may } = useAccess();
  const read = useOperation(adminGetDelivery, { showsError: true });
  if (read.data) return <Said mail={read.data} />;
  if (!may("delivery:read")) return <Notice>{t("mails.mayNotRead")}</Notice>;
  return (
    <div className="flex flex-col items-start gap-3 rounded-md border p-4">
      <p className="text-muted">{t("mails.readHint")}</p>
      {read.error && <FormError error={read.error} />}
      <Button isBusy={read.isPending} onClick={() => read.mutate({ params: { id } })}>
        <Eye />
        {t("mails.read")}
      </Button>
    </div>
  );
};

/** An attempt without an outcome lasts, or its process ended before the outcome was recorded. */
const Outcome = ({ attempt, delivery }: { attempt: Attempt; delivery: Delivery }) => {
  if (attempt.outcome === "retrying") return <Badge tone="warning">{t("mailStates.failed")}</Badge>;
  if (attempt.outcome !== null) return <DeliveryState state={attempt.outcome} />;
  const lasts = delivery.state === "sending" && attempt.number === delivery.attempts;
  return lasts ? <DeliveryState state="sending" /> : <Badge>{t("mails.noOutcome")}</Badge>;
};

interface AttemptsProps {
  delivery: Delivery;
  attempts: readonly Attempt[];
}

/** Lists the attempts to send a mail with the replies of the SMTP server, latest first. */
const Attempts = ({ delivery, attempts }: AttemptsProps) => (
  <section aria-label={t("common.attempts")} className="flex flex-col gap-2">
    <h3 className="font-medium">{t("common.attempts")}</h3>
    {attempts.length === 0 ? (
      <p className="text-muted">
        {isUnderWay(delivery.state) ? t("attempts.notYet") : t("attempts.none")}
      </p>
    ) : (
      <ol className="divide-y rounded-md border">
        {attempts.map((attempt) => (
          <li key={attempt.number} className="flex flex-col gap-1 px-3 py-2">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">{t("attempts.one", { number: attempt.number })}</span>
              <Outcome attempt={attempt} delivery={delivery} />
              <RelativeTime at={attempt.startedAt} />
            </div>
            {attempt.reason !== null && (
              <p className="break-words whitespace-pre-line text-danger">
                <bdi>{attempt.reason}</bdi>
              </p>
            )}
          </li>
        ))}
      </ol>
    )}
    {attempts.length > 0 && attempts.length < delivery.attempts && (
      <p className="text-xs text-muted">
        {t("mails.cutAttempts", { count: delivery.attempts, shown: attempts.length })}
      </p>
    )}
  </section>
);

const { adminRetryDelivery } = operations.mailer;

const Retry = ({ id }: { id: string }) => {
  const { may } = useAccess();
  const retry = useOperation(adminRetryDelivery, { done: t("attempts.retrying") });
  if (!may("delivery:retry")) return null;
  return (
    <Button
      className="self-start"
      isBusy={retry.isPending}
      onClick={() => retry.mutate({ params: { id } })}
    >
      <RotateCw />
      {t("common.retry")}
    </Button>
  );
};

const DeliveryFacts = ({ delivery }: { delivery: Delivery }) => (
  <Facts
    facts={{
      [t("mails.to")]: <bdi>{showEmail(delivery.recipient)}</bdi>,
      [t("mails.subject")]: (
        <bdi title={delivery.subject} className="line-clamp-6">
          {delivery.subject}
        </bdi>
      ),
      [t("common.state")]: <DeliveryState state={delivery.state} />,
      [t("mails.requested")]: <RelativeTime at={delivery.createdAt} />,
      [t("common.completed")]: <RelativeTime at={delivery.settledAt} />,
      [t("events.one")]: delivery.event ?? "–",
      [t("common.id")]: <CopyId id={delivery.id} of={t("mails.thisOne")} />,
    }}
  />
);

interface DeliveryBodyProps {
  id: string;
  /** The mail on the current page of the list, which is shown until its attempts are loaded. */
  listed: Delivery | undefined;
}

const DeliveryBody = ({ id, listed }: DeliveryBodyProps) => {
  const reading = useDelivery(id);
  const { data, error, refetch } = reading;
  const delivery = data?.delivery ?? listed;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!delivery) return <Skeleton className="h-64 w-full" />;
  return (
    <div className="flex flex-col gap-5">
      <StaleNotice reading={reading} />
      <DeliveryFacts delivery={delivery} />
      {delivery.state === "failed" && <Retry id={id} />}
      {data ? <Attempts {...data} /> : <Skeleton className="h-16 w-full" />}
      <MailContent id={id} />
    </div>
  );
};

interface DeliveryDrawerProps extends Omit<DeliveryBodyProps, "id"> {
  /** Undefined while no mail is open. */
  id: string | undefined;
  onClose: () => void;
}

/** Shows a mail's delivery state, attempts and content, and lets the admin retry it. */
export const DeliveryDrawer = ({ id, listed, onClose }: DeliveryDrawerProps) => (
  <Drawer
    title={t("mails.one")}
    isOpen={id !== undefined}
    onOpenChange={(isOpen) => !isOpen && onClose()}
  >
    {id !== undefined && <DeliveryBody key={id} id={id} listed={listed} />}
  </Drawer>
);
