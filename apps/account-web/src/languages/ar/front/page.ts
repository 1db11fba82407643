import type { Translation } from "../../messages.ts";

export const page: Translation<"front", "page"> = {
  language: "اللغة",
  terms: "شروط الخدمة",
  privacy: "الخصوصية",
  support: "الدعم",
  or: "أو",
  back: "رجوع",
  cancel: "إلغاء",
  retry: "إعادة المحاولة",
  continue: "متابعة",
  goToApplication: "الانتقال إلى {{name}}",
  loading: "جارٍ التحميل",
  offline: "أنت غير متصل بالإنترنت. ستُستأنف هذه الصفحة عند عودة الاتصال.",
  showPassword: "إظهار كلمة المرور",
  hidePassword: "إخفاء كلمة المرور",
};
