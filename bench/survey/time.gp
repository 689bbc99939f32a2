# Time against size: one point for each program.
#   gnuplot -e "data = 'survey.csv'; plot_file = 'survey.svg'; slope = 0.0003" time.gp
# The slope is in seconds for each line.
set terminal svg size 800,560 dynamic background rgb 'white' font 'sans-serif,14'
set output plot_file
set datafile separator ','
set key top left
set logscale xy
set format y '%g'
set xlabel 'lines of the program'
set ylabel 'wall time [s]'
set grid linecolor rgb '#dddddd'
plot data using (strcol(9) eq 'yes' ? column(2) : NaN):3 with points pointtype 7 pointsize 0.6 title 'surveyed', \
     data using (strcol(9) eq 'no' ? column(2) : NaN):3 with points pointtype 2 pointsize 0.8 title 'not complete', \
     slope * x with lines linecolor rgb '#888888' title 'proportional to lines'
