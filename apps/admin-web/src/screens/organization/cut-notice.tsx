import { Notice } from "../../components/ui/notice.tsx";
import { countText } from "./count-text.ts";

interface CutNoticeProps {
  /** Which of all are shown: "first teams". */
  what: string;
  shown: number;
  count: number;
}

/** Says that not all is shown, where that is so. */
export const CutNotice = ({ what, shown, count }: CutNoticeProps) =>
  count > shown && (
    <div className="mb-3">
      <Notice>
        The {shown} {what} are shown, of {countText(count)}.
      </Notice>
    </div>
  );
