import { lookNames, lookPath, pageStyle } from "@latchkey/contracts/look.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { type ReactNode, use, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { mailTexts, sampleMail, type SampleProps, samples, TabSample } from "./samples.tsx";
import { t } from "../../texts.ts";

export const previewPages = ["sign-in", "account", "mail"] as const;

interface PreviewProps extends SampleProps {
  /** The style sheet of the installation. */
  css: string;
  page: (typeof previewPages)[number];
  theme: "light" | "dark";
  isPhone: boolean;
}

/** The sizes of controls and text that the account web sets. */
const accountSizes =
  ":root{--ui-control:2.5rem;--ui-text:.9375rem}@media(width<40rem){:root{--ui-control:2.75rem}}";

const mailStyle = /<style>.*?@media\(prefers-color-scheme:dark\)\{(.*)\}<\/style>/s;

/** Returns the style sheet of a page or mail. Suspends until the texts of mails are loaded. */
const useStyle = ({ appearance, css, page, theme }: PreviewProps): string => {
  const mails = use(mailTexts());
  if (page !== "mail") return `${pageStyle(appearance.look)}${accountSizes}${css}`;
  const dark = theme === "dark" ? (mailStyle.exec(sampleMail(appearance, mails))?.[1] ?? "") : "";
  // Mail programs have no style sheet of ours, which joins the borders of cells.
  return `table{border-collapse:separate}${dark}`;
};

/** Gives the frame the style sheets of this page, whose classes its content has. */
const copyStyles = (frame: Document): void => {
  for (const link of document.querySelectorAll('link[rel="stylesheet"]'))
    frame.head.append(frame.importNode(link));
};

/** Gives the frame a look. The policy of its page allows style sheets that scripts make. */
const applyStyle = (page: Document, { style, theme }: { style: string; theme: string }): void => {
  const view = page.defaultView;
  if (!view) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(style);
  page.adoptedStyleSheets = [sheet];
  page.documentElement.dataset["theme"] = theme;
  const { lang, dir } = document.documentElement;
  Object.assign(page.documentElement, { lang, dir });
};

interface FrameProps {
  title: string;
  style: string;
  theme: string;
  children: ReactNode;
}

/** A page in a frame of its own, so that its width decides about its layout. */
const Frame = ({ title, style, theme, children }: FrameProps) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [root, setRoot] = useState<HTMLElement>();
  useEffect(() => {
    if (root) applyStyle(root.ownerDocument, { style, theme });
  }, [root, style, theme]);
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- the policy of its page allows no scripts and no forms
    <iframe
      ref={frame}
      title={title}
      src={lookPath(pageFacts.basePath, lookNames.preview)}
      tabIndex={-1}
      className="size-full"
      onLoad={() => {
        const page = frame.current?.contentDocument;
        if (!page) return;
        copyStyles(page);
        setRoot(page.getElementById("root") ?? undefined);
      }}
    >
      {root && createPortal(<div inert>{children}</div>, root)}
    </iframe>
  );
};

/** The height of the tab of the browser, which only a wide window shows. */
const tabHeight = 40;

/** The sizes of the windows that are shown, in pixels. */
const sizes = { phone: { width: 390, height: 780 }, wide: { width: 1280, height: 800 } };

/** Returns the width of an element that it follows. */
const useWidth = () => {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!place) return undefined;
    const observer = new ResizeObserver(() => setWidth(place.clientWidth));
    observer.observe(place);
    return () => observer.disconnect();
  }, [place]);
  return { setPlace, width };
};

/** Shows a page or a mail with a look, as its reader would see it, as large as there is room for it. Nothing in it works. */
export const Preview = (props: PreviewProps) => {
  const { appearance, page, theme, isPhone } = props;
  const Sample = samples[page];
  const style = useStyle(props);
  const { setPlace, width } = useWidth();
  const size = sizes[isPhone ? "phone" : "wide"];
  const scale = Math.min(1, width / size.width);
  const hasTab = page !== "mail" && !isPhone;
  const scaled = (height: number) => ({
    ...size,
    height,
    transform: `scale(${scale})`,
    marginBottom: height * (scale - 1),
  });
  return (
    <div ref={setPlace} className="overflow-hidden rounded-md bg-sunken">
      {/* Frames are scaled from their left edge. Their pages have directions of their own. */}
      <div
        dir="ltr"
        className="mx-auto overflow-hidden border"
        style={{
          width: size.width * scale,
          height: (size.height + (hasTab ? tabHeight : 0)) * scale,
        }}
      >
        {hasTab && (
          <div className="origin-top-left" style={scaled(tabHeight)}>
            <Frame
              title={t("branding.preview.tab")}
              style={pageStyle(appearance.look)}
              theme={theme}
            >
              <TabSample appearance={appearance} />
            </Frame>
          </div>
        )}
        <div className="origin-top-left" style={scaled(size.height)}>
          <Frame title={t("branding.preview.title")} style={style} theme={theme}>
            <Sample appearance={appearance} />
          </Frame>
        </div>
      </div>
    </div>
  );
};
