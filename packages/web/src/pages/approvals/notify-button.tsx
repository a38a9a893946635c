/** Whether this browser tells of calls that wait. Asked for only by whoever presses the button. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { isNotified, setNotified } from './approval-news.ts';

export function NotifyButton() {
  const [isOn, setOn] = useState(isNotified);
  const [isRefused, setRefused] = useState(false);
  if (typeof Notification === 'undefined') return null;
  const turn = async (): Promise<void> => {
    const isAllowed = isOn || (await Notification.requestPermission()) === 'granted';
    setRefused(!isAllowed);
    setNotified(!isOn && isAllowed);
    setOn(isNotified());
  };
  return (
    <div className="text-sm">
      <Button role="switch" aria-checked={isOn} onClick={() => void turn()}>
        Notify me of calls that wait: {isOn ? 'on' : 'off'}
      </Button>
      {isRefused && <p role="status">The browser does not allow it: change that in its settings for this page.</p>}
    </div>
  );
}
