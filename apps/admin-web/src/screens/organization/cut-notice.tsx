import { Notice } from "@latchkey/ui/components/notice.tsx";
import { countText } from "./count-text.ts";

interface CutNoticeProps {
  /** The part that is shown, such as "first teams". */
  what: string;
  shown: number;
  count: number;
}

/** Tells the admin that a list is incomplete. */
export const CutNotice = ({ what, shown, count }: CutNoticeProps) =>
  count > shown && (
    <div className="mb-3">
      <Notice>
        The {shown} {what} are shown, of {countText(count)}.
      </Notice>
    </div>
  );
