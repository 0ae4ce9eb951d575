/** Keeps the screen on while the page is visible, where the browser can. @returns ends it */
export function keepAwake(): () => void {
  let isEnded = false;
  let lock: WakeLockSentinel | undefined;
  const take = async () => {
    if (isEnded || document.visibilityState !== 'visible') return;
    lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
  };
  void take();
  // The browser lets it go when the page is hidden.
  document.addEventListener('visibilitychange', take);
  return () => {
    isEnded = true;
    document.removeEventListener('visibilitychange', take);
    void lock?.release();
  };
}

export const canFillScreen = (): boolean => document.fullscreenEnabled === true;

export const fillScreen = (): void => {
  document.documentElement.requestFullscreen({ navigationUI: 'hide' }).catch(() => undefined);
};

export const leaveFullScreen = (): void => {
  document.exitFullscreen().catch(() => undefined);
};

/** So that the kiosk can be put on the home screen, where it has no address bar. */
export function addManifest(): void {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = '/check-in/kiosk.webmanifest';
  document.head.append(link);
}
