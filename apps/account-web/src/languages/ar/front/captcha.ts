import type { Translation } from "../../messages.ts";

export const captcha: Translation<"front", "captcha"> = {
  title: "أكِّد أنك إنسان",
  failed:
    "تعذَّر تحميل اختبار التحقق. تحقق من اتصالك، وأوقف أدوات حظر المحتوى في هذه الصفحة، ثم حاول مرة أخرى.",
};
