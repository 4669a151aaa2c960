/** Stores the time zone of the browser in a cookie, so that Django admin shows local times. */

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const secure = location.protocol === 'https:' ? '; secure' : '';
if (timeZone) {
  document.cookie = `time_zone=${timeZone}; path=/admin/; max-age=31536000; samesite=lax${secure}`;
}
