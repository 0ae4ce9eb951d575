/** Keeps the screen on while the page is visible, if the browser can. @returns a function that stops this */
export function keepAwake(): () => void {
  let isEnded = false;
  let lock: WakeLockSentinel | undefined;
  const take = async () => {
    if (isEnded || document.visibilityState !== 'visible') return;
    lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
  };
  void take();
  // The browser releases the lock when the page is hidden.
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

/** Lets the kiosk be added to the home screen, where it has no address bar. */
export function addManifest(): void {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = '/check-in/kiosk.webmanifest';
  document.head.append(link);
}
