import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { SelectField } from "@latchkey/ui/components/fields.tsx";
import { Segmented } from "@latchkey/ui/components/segmented.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Unread } from "../../components/errors/error-state.tsx";
import { Page } from "../../components/page.tsx";
import {
  type Appearance,
  configurationOf,
  configuredOf,
  draftOf,
  type Edited,
  inheritedOf,
  type LookFormProps,
  outcomeOf,
} from "./draft.ts";
import { LookForm } from "./look-form.tsx";
import { Preview, previewPages } from "./preview.tsx";
import { richText } from "../../components/rich-text.tsx";
import { t } from "../../texts.ts";

const route = getRouteApi("/shell/branding");

interface PreviewCardProps {
  appearance: Appearance;
  css: string;
  /** Mails have the look of the installation only. */
  hasMail: boolean;
}

/** How the preview is shown. The choices are in the address. */
const PreviewCard = ({ appearance, css, hasMail }: PreviewCardProps) => {
  const { page: chosenPage = "sign-in", theme, width } = route.useSearch();
  const pages = previewPages.filter((one) => one !== "mail" || hasMail);
  const page = pages.find((one) => one === chosenPage) ?? "sign-in";
  const navigate = route.useNavigate();
  const show = (search: object) =>
    void navigate({ to: ".", search: (was) => ({ ...was, ...search }), replace: true });
  return (
    <Card title={t("branding.preview.title")}>
      <div className="mb-4 flex flex-wrap gap-x-6 gap-y-3">
        <Segmented
          label={t("branding.preview.page")}
          value={page}
          choices={pages.map((value) => ({ value, label: t(`branding.preview.pages.${value}`) }))}
          onChange={(value) => show({ page: value === "sign-in" ? undefined : value })}
        />
        <Segmented
          label={t("shell.theme.title")}
          value={theme ?? "light"}
          choices={[
            { value: "light", label: t("shell.theme.light") },
            { value: "dark", label: t("shell.theme.dark") },
          ]}
          onChange={(value) => show({ theme: value === "dark" ? value : undefined })}
        />
        <Segmented
          label={t("branding.preview.width")}
          value={width ?? "wide"}
          choices={[
            { value: "wide", label: t("branding.preview.wide") },
            { value: "phone", label: t("branding.preview.phone") },
          ]}
          onChange={(value) => show({ width: value === "phone" ? value : undefined })}
        />
      </div>
      <Suspense fallback={<Skeleton className="h-96" />}>
        <Preview
          appearance={appearance}
          css={css}
          page={page}
          theme={theme ?? "light"}
          isPhone={width === "phone"}
        />
      </Suspense>
    </Card>
  );
};

/** Edits a look that starts as configured. Nothing is stored: the result is copied into the configuration. */
const Editor = ({
  configured,
  application,
  hasBaseURL,
}: Pick<Edited, "application" | "configured" | "hasBaseURL">) => {
  const [draft, setDraft] = useState(() => draftOf(configured, application));
  const [chosenFiles, setChosenFiles] = useState<ReadonlyMap<string, string>>(new Map());
  const [css, setCss] = useState("");
  const edited = { configured, application, hasBaseURL, draft, chosenFiles };
  const outcome = outcomeOf(edited);
  // The preview stays as it was until the draft is valid again.
  const [shown, setShown] = useState(outcome.appearance);
  if (outcome.appearance && JSON.stringify(outcome.appearance) !== JSON.stringify(shown))
    setShown(outcome.appearance);
  const problems = outcome.problems ?? new Map<string, string>();
  const form: LookFormProps = {
    draft,
    inherited: inheritedOf(configured, application),
    problemAt: (member) =>
      problems.get(member) ?? [...problems].find(([name]) => name.startsWith(`${member}.`))?.[1],
    change: (members) => setDraft((was) => ({ ...was, ...members })),
    choose: (file) => {
      const path = `./${file.name}`;
      setChosenFiles((was) => new Map(was).set(path, URL.createObjectURL(file)));
      return path;
    },
    onStyle: setCss,
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[26rem_minmax(0,1fr)]">
      <div className="flex flex-col gap-5">
        <LookForm {...form} />
        <Card title={t("branding.configuration.title")}>
          <p className="mb-3 text-muted">
            {richText("branding.configuration.text", { variable: <code>BRANDING</code> })}
          </p>
          <JsonView label={t("branding.configuration.label")} value={configurationOf(edited)} />
        </Card>
      </div>
      <div className="flex min-w-0 flex-col gap-5 max-xl:order-first xl:sticky xl:top-0">
        {problems.size > 0 && (
          <Notice tone="warning">
            {[...problems].map(([member, message]) => (
              <p key={member}>{`${member}: ${message}`}</p>
            ))}
          </Notice>
        )}
        {shown && <PreviewCard appearance={shown} css={css} hasMail={application === undefined} />}
      </div>
    </div>
  );
};

const query = operationQuery(operations.gateway.adminReadSettings, {
  query: { names: "branding,appURL,baseURL" },
});

/** Shows what a look of the installation or of an application does, before it is configured. */
export const BrandingScreen = () => {
  const reading = useQuery(query);
  const { application } = route.useSearch();
  const navigate = route.useNavigate();
  const options = reading.data?.options;
  if (!options)
    return (
      <Page title={t("screens.branding")}>{<Unread reading={reading} className="h-96" />}</Page>
    );
  const appURLs = [options.find(({ name }) => name === "appURL")?.value ?? []].flat().map(String);
  const hasBaseURL = options.some(({ name, value }) => name === "baseURL" && Boolean(value));
  const edited = appURLs.find((url) => url === application);
  return (
    <Page
      title={t("screens.branding")}
      aside={
        appURLs.length > 0 && (
          <SelectField
            label={t("branding.lookOf")}
            hidesLabel
            value={edited ?? ""}
            choices={[
              { value: "", label: t("branding.installation") },
              ...appURLs.map((url) => ({ value: url, label: url })),
            ]}
            onChange={({ target: { value } }) =>
              void navigate({
                to: ".",
                search: (was) => ({ ...was, application: value || undefined }),
              })
            }
          />
        )
      }
    >
      <Editor
        key={edited}
        configured={configuredOf(options)}
        application={edited}
        hasBaseURL={hasBaseURL}
      />
    </Page>
  );
};
