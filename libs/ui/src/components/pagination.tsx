import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "./button.tsx";
import { locale } from "./locale.ts";

interface PaginationProps {
  /** Names the list for screen readers. */
  label: string;
  /** The texts in another language. */
  texts?: { readonly pages: string; readonly previous: string; readonly next: string } | undefined;
  /** Undefined if there is no page in that direction. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

/**
 * Buttons to the next and the previous page. Pages have no numbers, because lists change while they are read. On the last page the
 * button that led there keeps the focus.
 */
export const Pagination = ({ label, texts, onPrevious, onNext }: PaginationProps) => (
  <nav aria-label={texts?.pages ?? locale.text("pagesOf", { label })} className="flex gap-2">
    <Button size="small" disabled={!onPrevious} focusableWhenDisabled onClick={onPrevious}>
      <ChevronLeft className="rtl:-scale-x-100" />
      {texts?.previous ?? locale.text("previousPage")}
    </Button>
    <Button size="small" disabled={!onNext} focusableWhenDisabled onClick={onNext}>
      {texts?.next ?? locale.text("nextPage")}
      <ChevronRight className="rtl:-scale-x-100" />
    </Button>
  </nav>
);
